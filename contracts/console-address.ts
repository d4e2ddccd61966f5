/** Which job a page of the console is about: by name, and by run where there were several. */
export interface JobPlace {
  readonly namespace: string;
  readonly name: string;
  readonly run?: string;
}

/** Where the console has the page of a job: for links whose names are filled in later. */
export const JOB_PAGE = '/jobs/{namespace}/{name}';

/** The path of the console's page of a job; `part` begins with a slash. */
export function jobUrl({ namespace, name, run }: JobPlace, part = ''): string {
  const names = { namespace, name };
  const filled = JOB_PAGE.replaceAll(/\{(namespace|name)\}/g, (_, field: keyof typeof names) =>
    encodeURIComponent(names[field]),
  );
  const path = filled + part;
  return run === undefined ? path : `${path}?run=${encodeURIComponent(run)}`;
}

/** The address of that page for those who have the console's; undefined without one. */
export const consoleAddress = (origin: string | undefined, job: JobPlace): string | undefined =>
  origin === undefined ? undefined : origin + jobUrl(job);
