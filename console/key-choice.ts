const KEY = "toolgate.keys";

/**
 * Whether single letters do something, for this tab. Who speaks to their machine, or whose hand slips, may turn them off (WCAG
 * 2.1.4): a word that is typed at the wrong place must not answer a question.
 */
export const areKeysOn = (): boolean => sessionStorage.getItem(KEY) !== "off";

export const turnKeys = (to: "on" | "off"): void => sessionStorage.setItem(KEY, to);
