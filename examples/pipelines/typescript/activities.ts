import type { Outcome } from 'signalbox';

/** What the training steps need to know of the data. */
export interface Dataset {
  readonly name: string;
  readonly steps: number;
}

export interface Evaluation {
  readonly best: string;
  readonly accuracies: Readonly<Record<string, number>>;
}

/** Stands for what prepares real data. */
export async function preprocess(name: string, steps: number): Promise<Dataset> {
  return { name, steps };
}

/** Compares the models by the accuracy that each job reported last. */
export async function evaluate(outcomes: readonly Outcome[]): Promise<Evaluation> {
  const accuracies = Object.fromEntries(outcomes.map((outcome) => [outcome.name, accuracyOf(outcome)]));
  const [best] = Object.entries(accuracies).sort(([, a], [, b]) => b - a);
  return { best: best![0], accuracies };
}

function accuracyOf({ progress = '' }: Outcome): number {
  return Number(/accuracy=([\d.]+)/.exec(progress)?.[1] ?? 0);
}
