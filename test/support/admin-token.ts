/** The administrator's token in the tests. */
export const ADMIN = "admin-token-of-the-tests-0000000000000000000";
