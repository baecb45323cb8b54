import { type AdminToken, adminToken, newToken } from "../config/admin-token.ts";
import { type KeptLogins, loginFiles } from "../config/login-files.ts";

/** Apart from the settings: only the server has one, and only it loads what makes it. */
export { type AdminToken, adminToken, type KeptLogins, loginFiles, newToken };
