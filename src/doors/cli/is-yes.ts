/** What a person types at `[y/N]`. No answer is a no. */
export const isYes = (answer: string | null): boolean => /^y(es)?$/i.test(answer?.trim() ?? "");
