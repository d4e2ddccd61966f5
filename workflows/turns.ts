/** Runs work, each after what was begun before it has ended. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Revisions are made one at a time: each builds on the one before. */
export function takeTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
