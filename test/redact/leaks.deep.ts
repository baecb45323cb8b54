import { it } from "vitest";
import { expectNoLeaks } from "./leaks.ts";

it("lets no part of a secret out, in 200,000 random streams", () => expectNoLeaks(200_000));
