import { type Environment, readEnvironment } from "../config/environment.ts";

export type { Environment };

/** Apart from the settings: a command line wants to know the environment long before it reads a config, if it ever does. */
export const environmentOfProcess = (): Environment => readEnvironment();
