import { it } from "vitest";
import { expectNoLeaks } from "./leaks.ts";

it("lets no part of a secret out, in 100,000 random streams", () => expectNoLeaks(100_000));
