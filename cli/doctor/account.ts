/** Whose rights `signalbox doctor` looks at. */
export const ACCOUNTS = ['user', 'worker', 'watcher', 'bridge', 'console'] as const;
export type Account = (typeof ACCOUNTS)[number];
