/** A form of gangs that is to be checked. */
export interface AskedForm {
  readonly key: string;
  /** Of a gang of this form. */
  readonly namespace: string;
  /** In which decision it was checked last; 0 if never. */
  readonly checkedIn: number;
}

/**
 * Chooses what is checked now, if not all can be: one of each namespace in turn, first the first of its gangs, then what was
 * checked longest ago. So no namespace takes the part of another, and everything is checked within some decisions. `asked`: in the
 * order of the gangs.
 */
export function fairPart(asked: readonly AskedForm[], most: number): ReadonlySet<string> {
  const keys = new Set(asked.map(({ key }) => key));
  if (keys.size <= most) return keys;
  const lists = [...Map.groupBy(asked, ({ namespace }) => namespace).values()].map(ofNamespace);
  lists.sort((a, b) => lastCheck(a) - lastCheck(b));
  const chosen = new Set<string>();
  for (let turn = 0; chosen.size < most; turn++) {
    for (const list of lists) {
      const next = list[turn];
      if (next && chosen.size < most) chosen.add(next.key);
    }
  }
  return chosen;
}

/** The first of a namespace is checked in each of its decisions: nothing of its own namespace comes before it. */
function ofNamespace([first, ...others]: readonly AskedForm[]): readonly AskedForm[] {
  return [first!, ...others.toSorted((a, b) => a.checkedIn - b.checkedIn)];
}

const lastCheck = (list: readonly AskedForm[]): number => Math.max(...list.map(({ checkedIn }) => checkedIn));
