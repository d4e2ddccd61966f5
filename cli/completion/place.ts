import type { AskedSource } from '../shell/completed-by.ts';

/** The candidates for a word: fixed words, what `signalbox __complete` prints, or files. */
export type WordValues =
  | { readonly kind: 'fixed'; readonly words: readonly string[] }
  | { readonly kind: 'asked'; readonly of: AskedSource }
  | { readonly kind: 'any' };

/** A position on the command line: the subcommands typed so far, and what may follow them. */
export interface Place {
  readonly path: readonly string[];
  readonly commands: readonly { readonly text: string; readonly about: string }[];
  /** The last one may be repeated. */
  readonly args: readonly WordValues[];
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

/** The flags of all places whose next word is their value. */
export const flagsWithValues = (places: readonly Place[]): readonly string[] => [
  ...new Set(
    places.flatMap(({ options }) => options.filter(({ values }) => values).flatMap(({ flags }) => flags)),
  ),
];
