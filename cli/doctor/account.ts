/** Whose rights `signalbox doctor` looks at. */
export const ACCOUNTS = ['user', 'worker', 'watcher', 'bridge'] as const;
export type Account = (typeof ACCOUNTS)[number];
