import { compileRows } from './matching.ts';

type MarkKind = 'saved' | 'saving' | 'resumed';

/** Of each line with a mark of the kind, in lower case. */
const LITERALS = {
  saved: [
    'saved',
    'checkpoint created',
    'checkpoint successfully created',
    'finished sav',
    'finalized successfully',
  ],
  saving: ['saving ', 'writing ', 'staging ', ' checkpoint save ', 'about to be saved'],
  resumed: ['resum', 'continuing', 'start', 'load', 'restor'],
} as const satisfies Record<MarkKind, readonly string[]>;

const inOrder = (kind: MarkKind, patterns: readonly string[]) =>
  patterns.map((pattern) => ({ kind, pattern, literals: LITERALS[kind] }));

/** What programs print of checkpoints; the first that matches wins. `s` is the step that the line names. */
export const MARKS = compileRows([
  ...inOrder('saved', [
    String.raw`(?i)\bsuccessfully saved (?:local )?checkpoint from iteration +(?P<s>\d+)`,
    String.raw`(?i)\bcheckpoint save for step (?P<s>\d+) .*finalized successfully|\bcheckpoint for step (?P<s2>\d+) saved successfully`,
    String.raw`(?i)\bsaved (?:a )?checkpoint (?:at step|for step|to \S+ for step) (?P<s>\d+)`,
    String.raw`\bSaved checkpoint \S+ \(epoch \d+ @ (?P<s>\d+) updates`,
    String.raw`\bSaved checkpoint at epoch \d+ step (?P<s>\d+)`,
    String.raw`\b(?:Finished saving checkpoint(?: \(finalized tmp dir\))? to .|Finished save (?:\(blocking \+ background\) )?in [\d.]+ seconds @ )(?:\S*?/)?(?P<s>\d+)(?:/\w+)?\W*$`,
    String.raw`(?i)\bcheckpoint saved to \S*?(?:step|iter|global_step|checkpoint)[-_]?(?P<s>\d+)`,
    String.raw`\bFinished saving the checkpoint in |(?i:\bcheckpoint (?:successfully )?(?:saved|created)\b)|\bcheckpoint of size \S+ \S+ saved to `,
  ]),
  ...inOrder('saving', [
    String.raw`(?i)\b(?:saving|writing) (?:a )?checkpoints? (?:at (?:iteration|step)|for(?: step)?|step) *(?P<s>\d+)`,
    String.raw`(?i)\bSaving checkpoint at (?P<s>\d+) (?:iterations|epochs)`,
    String.raw`(?i)\basync(?:hronous)? checkpoint save (?:at iteration +|for step +|for \S*step=)(?P<s>\d+)`,
    String.raw`(?i)\bsaving (?:model|model checkpoint|checkpoint|current state) to \S*?(?:checkpoint|step|iter|model|ckpt)[-_=](?P<s>\d+)`,
    String.raw`\bSaving model checkpoint: \S*global_step(?P<s>\d+)|\bCheckpoint global_step(?P<s2>\d+) is about to be saved`,
    String.raw`(?i)\bglobal step (?P<s>\d+): .* saving model to `,
    String.raw`(?i)\b(?:saving|staging|writing) (?:the |a |model |full |current )*(?:checkpoint|state)\b|\bsaving model to `,
  ]),
  ...inOrder('resumed', [
    String.raw`(?i)\bsuccessfully loaded checkpoint .*at iteration (?P<s>\d+)`,
    String.raw`(?i)\b(?:resuming|continuing|will resume|starting|starts) (?:training )?.*?\b(?:global[_ ]step|step|iteration) (?P<s>\d+)`,
    String.raw`(?i)\bresumed epoch: \d+, iter: (?P<s>\d+)`,
    String.raw`(?i)\bloaded checkpoint \S+ (?:\(epoch \d+ @ (?P<s>\d+) updates|at epoch \d+ step (?P<s2>\d+))`,
    String.raw`(?i)\brestor(?:ing|ed) (?:parameters |checkpoint |states? |all states )?from .*?(?:step[ =_-]?|ckpt-|checkpoint[-_]|/)(?P<s>\d+)\b`,
    String.raw`(?i)\bload(?:ed|ing)? (?:the )?checkpoint (?:at |from )?(?:step |\S*global_step)(?P<s>\d+)`,
    String.raw`(?i)\b(?:(?:auto)?resuming (?:training|from)|restor(?:ed|ing) (?:all |model |optimizer )*(?:states?|checkpoint|from)|load(?:ed|ing)? (?:the |distributed )*(?:checkpoint|states|snapshot) ?(?:from|'|\S*/|\S+\.pt)|successfully loaded checkpoint)`,
  ]),
]);
