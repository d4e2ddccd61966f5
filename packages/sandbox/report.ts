/** Receives the progress of long work, as text for users. */
export interface ProgressReport {
  /** A new step begins. */
  step(text: string): void;
  /** The progress of the current step. */
  detail(text: string): void;
  /** A message that stays on the screen. */
  note(text: string): void;
}

export const silent: ProgressReport = {
  step: () => undefined,
  detail: () => undefined,
  note: () => undefined,
};
