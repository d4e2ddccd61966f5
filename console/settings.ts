import type { ConsoleSettings, ProcessSettings } from '../contracts/settings.ts';

/** Of the process. */
export interface ConsoleProcessSettings extends ProcessSettings {
  readonly console: ConsoleSettings;
  /** Of jobs that name none. */
  readonly namespace?: string;
}
