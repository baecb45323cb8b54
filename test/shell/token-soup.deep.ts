import { traceTokenSoup } from "./token-soup.ts";

traceTokenSoup(20_000, 2);
