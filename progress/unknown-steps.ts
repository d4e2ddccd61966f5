/** What is known of a program whose steps cannot be read. */
interface SilentProgram {
  /** Its command, and the last lines of its log. */
  readonly texts: readonly string[];
  /** Whether Python writes at once what it prints. */
  readonly isUnbuffered: boolean;
}

/** What makes a framework tell its steps, that by default does not, or not in a pod. The first that fits. */
const REMEDIES = [
  {
    named: /deepspeed/i,
    remedy:
      'DeepSpeed tells its steps with `"steps_per_print": 10` in its configuration, since 0.17.6 only with DEEPSPEED_LOG_LEVEL=info',
  },
  {
    named: /lightning/i,
    remedy:
      'where Rich is installed Lightning draws nothing into a log: `Trainer(callbacks=[TQDMProgressBar(refresh_rate=10)])`',
  },
  {
    named: /transformers|\btrl\b|axolotl/i,
    remedy: 'a Trainer of Transformers tells them with `logging_steps=10`',
  },
] as const;

const PRINT = 'print one now and then: `print(f"step {step}/{total} loss {loss:.4f}", flush=True)`';

/** Says how the steps of a program can be read that shows none. */
export function remedyOfUnknownSteps({ texts, isUnbuffered }: SilentProgram): string {
  const remedy = REMEDIES.find(({ named }) => texts.some((text) => named.test(text)))?.remedy ?? PRINT;
  return isUnbuffered
    ? remedy
    : `${remedy}; and set PYTHONUNBUFFERED=1, or what Python prints comes in blocks of 8 KiB`;
}
