/** Settings of a process whose clock is ahead of the machine's by so many milliseconds, or behind it. */
export const withClockAhead = (ms: number): NodeJS.ProcessEnv =>
  ms === 0
    ? {}
    : {
        NODE_OPTIONS: `--import=${new URL('skewed-clock.mjs', import.meta.url).href}`,
        SKEWED_MS: String(ms),
      };
