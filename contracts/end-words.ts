/** What the timeline says of an end that has nothing else to tell. */
export const END_WORDS = {
  succeeded: 'every replica that decides the outcome has succeeded',
  collecting: 'evidence is being collected',
  cleanUpBegins: 'clean-up begins',
  cleanUpFinished: 'clean-up finished',
} as const;

/** Between what a sentence of the timeline says one after the other. */
export const CLAUSE_END = '; ';

export const clausesOf = (text: string): string[] => text.split(CLAUSE_END);
