import type { TrainingJob } from '../../contracts/training-job.ts';
import { compilePattern } from '../../language/pattern.ts';

/** Returns a function that finds the rules whose pattern matches some texts, as indices of the job's rules. */
export function patternsOf({ plan }: TrainingJob): (texts: Iterable<string>) => number[] {
  const rules = plan.policy?.failures.rules ?? [];
  const patterns = rules.flatMap(({ pattern }, rule) =>
    pattern === undefined ? [] : [{ rule, pattern: compilePattern(pattern) }],
  );
  return (texts) => {
    const all = patterns.length > 0 ? [...texts] : [];
    const isIn = ({ pattern }: (typeof patterns)[number]) =>
      all.some((text) => pattern.find(text) !== undefined);
    return patterns.filter(isIn).map(({ rule }) => rule);
  };
}
