/** Where long work tells what it is doing. All of it is plain text for people; nothing parses it. */
export interface ProgressReport {
  /** What is being done now; the previous step is over. */
  step(text: string): void;
  /** How far the current step is. */
  detail(text: string): void;
  /** A fact worth keeping on the screen. */
  note(text: string): void;
}

export const silent: ProgressReport = {
  step: () => undefined,
  detail: () => undefined,
  note: () => undefined,
};
