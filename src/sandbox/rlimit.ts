/** The kernel's numbers of what can be limited. */
export const RESOURCES = { cpu: 0, fsize: 1, data: 2, core: 4, nproc: 6, nofile: 7 } as const;

/** The most of something; the first is what a program is told of, the second what it can't get beyond. */
export type RLimit = readonly [resource: keyof typeof RESOURCES, soft: number, hard: number];
