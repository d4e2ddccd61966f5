import type { Settings } from '../settings/settings.ts';

/** What a command and the worker processes that it starts tell each other. */

/** The first and only message to a process: which it is, and its settings. */
export interface Assignment {
  readonly number: number;
  readonly settings: Settings;
}

/** How a process is, told each second. */
export interface Beat {
  /** Where it serves its metrics. */
  readonly address: string;
  readonly unready?: string;
  readonly impaired?: string;
}

/** Why a process ends. */
export interface ProcessFailure {
  readonly message: string;
  readonly code?: string;
  readonly remedy?: string;
  readonly stack?: string;
}

export type Report = { readonly beat: Beat } | { readonly failure: ProcessFailure };

export const BEAT_MS = 1_000;
