import { traceTokenSoup } from "./token-soup.ts";

traceTokenSoup(150, 1);
