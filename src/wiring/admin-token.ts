import { adminToken, newToken } from "../config/admin-token.ts";

/** Apart from the settings: only the server has one, and only it loads what makes it. */
export { adminToken, newToken };
