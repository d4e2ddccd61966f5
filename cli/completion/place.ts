/** The candidates for a word: fixed words, what `signalbox __complete` prints, or files. */
export type WordValues =
  | { readonly kind: 'fixed'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly of: 'jobs' | 'sweeps' | 'namespaces' | 'contexts' }
  | { readonly kind: 'any' };

/** A position on the command line: the subcommands typed so far, and what may follow them. */
export interface Place {
  readonly path: readonly string[];
  readonly commands: readonly { readonly text: string; readonly about: string }[];
  readonly argument: WordValues | undefined;
  readonly options: readonly PlaceOption[];
}

export interface PlaceOption {
  /** `--namespace`, `-n`. */
  readonly flags: readonly string[];
  readonly about: string;
  /** Undefined if it takes no value. */
  readonly values: WordValues | undefined;
}

/** Options that decide which jobs there are, so scripts pass them on. Shells split addresses at their colon. */
export const PASSED_ON = ['-n', '--namespace', '--context', '--temporal-namespace'] as const;
