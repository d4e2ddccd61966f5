/** Sets of replica indices as ranges, `0-2,5`: a thousand finished workers take five characters. */

export function formatRanges(indices: Iterable<number>): string {
  const sorted = [...new Set(indices)].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let last = i;
    while (sorted[last + 1] === sorted[last]! + 1) last++;
    ranges.push(last === i ? `${sorted[i]}` : `${sorted[i]}-${sorted[last]}`);
    i = last + 1;
  }
  return ranges.join(',');
}

export function parseRanges(text: string): number[] {
  if (text === '') return [];
  return text.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number);
    return Array.from({ length: to! - from! + 1 }, (_, offset) => from! + offset);
  });
}

export const unionRanges = (a: string, b: string) =>
  a === b ? a : formatRanges([...parseRanges(a), ...parseRanges(b)]);
