import type { ArchiveSettings, ConsoleSettings, ProcessSettings } from '../contracts/settings.ts';

/** Of the process. */
export interface ConsoleProcessSettings extends ProcessSettings {
  readonly console: ConsoleSettings;
  /** Where jobs are that Temporal no longer has. */
  readonly archive?: Pick<ArchiveSettings, 'store'>;
  /** Of jobs that name none. */
  readonly namespace?: string;
}
