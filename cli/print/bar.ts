const WIDTH = 20;

/** Returns a bar with its share, e.g. `[#####               ] 25 % of 10,000`. */
export function bar(done: number, of: number): string {
  const share = of === 0 ? 1 : done / of;
  const filled = Math.floor(share * WIDTH);
  return `[${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${Math.floor(share * 100)} % of ${of.toLocaleString('en')}`;
}
