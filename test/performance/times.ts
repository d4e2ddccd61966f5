/** How long work takes, in the median and at most, when it is done so often. */
export async function timesOf(count: number, work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  const inMs = (ms: number | undefined) => `${ms?.toFixed(0)} ms`;
  return `${inMs(times[Math.floor(count / 2)])} in the median, ${inMs(times.at(-1))} at most`;
}
