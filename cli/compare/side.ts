/** A job as the command line names it: `NAME`, `NAME@RUN`, `NAME@REVISION` or `NAME@RUN@REVISION`. */
export interface NamedSide {
  readonly given: string;
  /** With the run, if one is given. */
  readonly job: string;
  readonly revision?: number;
}

export function namedSide(given: string): NamedSide {
  const { job = given, revision } = SIDE.exec(given)?.groups ?? {};
  return { given, job, ...(revision === undefined ? {} : { revision: Number(revision) }) };
}

/** A run has more digits than a revision. */
const SIDE = /^(?<job>.+?)(@(?<revision>\d{1,5}))?$/;
