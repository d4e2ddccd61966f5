/** How long the members of a gated gang may hold nodes without each other: between their turn and the roll-back. */
export const bindWithinMs = (pods: number): number => 10_000 + 50 * pods;

/** How many members of a gang must be placed together, and how many there are. */
export interface GangSize {
  readonly min: number;
  readonly total: number;
}

/** As a label has it: `6-of-8`. */
export const formatGangSize = ({ min, total }: GangSize): string => `${min}-of-${total}`;

/** Any user can edit labels. */
export function parseGangSize(text: string | undefined): GangSize | undefined {
  const [, min, total] = /^(\d{1,6})-of-(\d{1,6})$/.exec(text ?? '') ?? [];
  return min && total ? { min: Math.min(Number(min), Number(total)), total: Number(total) } : undefined;
}
