import type { FilterName } from '../../record/audit/audit-filter.ts';
import type { QuestionName } from '../../record/audit/questions.ts';

/** A question as a subcommand. What it asks is in record/audit/questions.ts, which is loaded when it is asked. */
export interface QuestionHelp {
  readonly name: QuestionName;
  readonly about: string;
  readonly filters: readonly FilterName[];
  readonly examples: readonly string[];
  /** Amounts are shown if there are prices. */
  readonly isPriced?: true;
}

const JOB = ['job', 'kind', 'since', 'until'] as const;

export const QUESTION_HELP: readonly QuestionHelp[] = [
  {
    name: 'who',
    about: 'who asked for what, when and why; also what was refused',
    filters: [...JOB, 'by', 'request'],
    examples: ['audit who --by ana --since 30d', 'audit who --request stop --until 2026-11-01'],
  },
  {
    name: 'failures',
    about: 'which jobs failed, for which reason, by which rule, on which node',
    filters: [...JOB, 'by', 'reason', 'node', 'rule'],
    examples: ['audit failures --since 7d', 'audit failures --count reason,node'],
  },
  {
    name: 'waits',
    about: 'what waited for an hour or longer, and for what',
    filters: [...JOB, 'reason', 'waited'],
    examples: ['audit waits --since 7d', 'audit waits --waited 10m --reason Unschedulable'],
  },
  {
    name: 'restarts',
    about: 'what was restarted, and by which rule',
    filters: [...JOB, 'reason', 'node', 'rule'],
    examples: ['audit restarts --since 7d', 'audit restarts --count rule', 'audit restarts --node gpu-7'],
  },
  {
    name: 'jobs',
    about: 'all jobs, with how they ended, who submitted them, and how long they waited',
    filters: [...JOB, 'by', 'phase', 'reason', 'node', 'rule', 'waited', 'restarted'],
    examples: ['audit jobs --phase failed --by ana', 'audit jobs --since 90d -o csv'],
  },
  {
    name: 'cost',
    about: 'for how long jobs held GPUs, what of that was of use and, with prices, what all they held cost',
    filters: [...JOB, 'by', 'phase'],
    examples: [
      'audit cost --since 30d --prices prices.yaml',
      'audit cost --by ana -o csv',
      'audit cost --by namespace --since 30d',
    ],
    isPriced: true,
  },
  {
    name: 'entries',
    about: 'all entries of ledgers',
    filters: [...JOB, 'by', 'phase', 'reason', 'node', 'request', 'rule', 'waited', 'restarted'],
    examples: ['audit entries --job ml/train', 'audit entries --node gpu-7 --since 1d -o jsonl'],
  },
];
