import { it } from "vitest";
import { neverWider } from "./lease-chains.ts";

it("no chain of child leases and renewals widens anything", () => neverWider(200));
