import { compileRows } from './matching.ts';

/**
 * What training programs print of a step, a row for each form; the first that matches wins. Groups: `step` and `total` are
 * of the whole run, `within` and `withinTotal` of the present epoch, `n` and `nTotal` of a bar with a description `desc`.
 *
 * `epochsFrom`: what the first epoch is called, where the program counts within each.
 */
export const FORMS = compileRows([
  {
    form: 'nemo',
    epochsFrom: 0,
    literals: ['training epoch '],
    pattern: String.raw`\bTraining epoch (?P<epoch>\d+), iteration (?P<within>\d+)/(?P<withinTotal>\d+)(?:.*? \| global_step: (?P<step>\d+))?`,
  },
  {
    form: 'megatron',
    literals: ['iteration '],
    pattern: String.raw`\biteration +(?P<step>\d+)/ *(?P<total>\d+) \|`,
  },
  {
    form: 'maxtext',
    literals: ['completed step: '],
    pattern: String.raw`\bcompleted step: (?P<step>\d+), seconds: `,
  },
  { form: 'torchtitan', literals: ['step: '], pattern: String.raw`\bstep: +(?P<step>\d+) +loss: ` },
  {
    form: 'olmo',
    literals: ['[step='],
    pattern: String.raw`\[step=(?P<step>\d+)/(?:(?P<total>\d+)|\?\?\?),epoch=(?P<epoch>\d+)`,
  },
  {
    form: 'deepspeed',
    literals: ['skipped=', 'runningavgsamplespersec', 'iter time (s)'],
    pattern: String.raw`\bstep=(?P<step>\d+), skipped=|/global_step=(?P<step2>\d+), RunningAvgSamplesPerSec=|\bsteps: (?P<step3>\d+) loss: \S+ .*iter time \(s\)`,
  },
  {
    form: 'paddlenlp',
    literals: [', global_step: '],
    pattern: String.raw`\bloss: \S+, learning_rate: \S+, global_step: (?P<step>\d+)`,
  },
  {
    form: 'hf-trainer',
    literals: ["'epoch'", '"epoch"'],
    pattern: String.raw`\{['"]loss['"]: .*['"]epoch['"]: ['"]?(?P<epoch>\d[\d.e-]*)`,
  },
  {
    form: 'mmengine',
    epochsFrom: 1,
    literals: ['epoch(train)', 'iter(train)'],
    pattern: String.raw`\b(?:Epoch\(train\) +\[ *(?P<epoch>\d+)\]\[ *(?P<within>\d+)/(?P<withinTotal>\d+)\]|Iter\(train\) +\[ *(?P<step>\d+)/(?P<total>\d+)\])`,
  },
  { form: 'detectron2', literals: ['iter: '], pattern: String.raw`\biter: (?P<step>\d+) .*\blr: ` },
  {
    form: 'composer',
    epochsFrom: 0,
    literals: ['[epoch=', '[batch=', '[iteration=', '[token=', '[sample='],
    pattern: String.raw`(?:^|[\s:])\[(?:epoch=(?P<epoch>\d+)(?:/\d+)?\]\[batch=(?P<within>\d+)(?:/(?P<withinTotal>\d+))?\]|(?:batch|iteration)=(?P<step>\d+)/(?P<total>\d+)\]|(?P<unit>token|sample)=(?P<amount>\d+)/(?P<amountTotal>\d+)\])`,
  },
  { form: 'fairseq', literals: ['num_updates'], pattern: String.raw`\bnum_updates"?[=: ] ?"?(?P<step>\d+)` },
  {
    form: 'timm',
    epochsFrom: 0,
    literals: ['train: '],
    pattern: String.raw`\bTrain: (?P<epoch>\d+) \[ *(?P<within>\d+)/(?P<withinTotal>\d+) \(`,
  },
  {
    // The MNIST example counts samples.
    form: 'pytorch-example',
    epochsFrom: 1,
    literals: ['train epoch: '],
    pattern: String.raw`\bTrain Epoch: (?P<epoch>\d+) \[ *(?P<within>\d+)/ *(?P<withinTotal>\d+)[ \]]`,
  },
  {
    form: 'pytorch-example',
    epochsFrom: 0,
    literals: ['epoch: '],
    pattern: String.raw`\bEpoch: ?\[?(?P<epoch>\d+)\]? ?\[ *(?P<within>\d+)/ *(?P<withinTotal>\d+)[ \]]`,
  },
  {
    form: 'tf-estimator',
    literals: [', step = '],
    pattern: String.raw`\bloss = \S+, step = (?P<step>\d+)\b`,
  },
  {
    form: 'boosting',
    literals: [']\t', 'finished iteration '],
    pattern: String.raw`(?:^|[\s:>])\[(?P<step>\d+)\]\t\S.*[:'] ?-?\d|finished iteration (?P<step2>\d+)$`,
  },
  { form: 'nanogpt', literals: ['iter '], pattern: String.raw`(?:^|\s)iter (?P<step>\d+): loss \S+, time ` },
  {
    form: 'llm-c',
    literals: ['step'],
    pattern: String.raw`(?:^|\s)step:? *(?P<step>\d+)/(?P<total>\d+) (?:\| (?:train )?loss |train_time:)`,
  },
  {
    form: 'torchtune',
    literals: ['step ', '|loss: '],
    pattern: String.raw`(?:^|\s)Step (?P<step>\d+) \| |\b(?P<epoch>\d+)\|(?P<step2>\d+)\|Loss: `,
  },
  {
    form: 'clu',
    literals: [' steps/s, ', '] ['],
    pattern: String.raw`\d steps/s, [\d.]+% \((?P<step>\d+)/(?P<total>\d+)\), ETA|\] \[(?P<step2>\d+)\] (?:[\w/]+=\S+, )*(?:\w*loss|steps_per_sec)=`,
  },
  {
    form: 'ultralytics',
    epochsFrom: 1,
    literals: ['% '],
    pattern: String.raw`(?:^|\s)(?P<epoch>\d+)/(?P<epochs>\d+) +[\d.]+[MGT] .*: +\d+% \S+ (?P<within>\d+)/(?P<withinTotal>\d+) `,
  },
  {
    form: 'tqdm-loggable',
    isBar: true,
    literals: ['progress on:'],
    pattern: String.raw`Progress on:(?P<desc>[^ ]*) (?P<n>[\d.]+[kMGT]?)(?:it)?/(?P<nTotal>[\d.]+[kMGT]?)(?:it)? rate:`,
  },
  {
    form: 'keras',
    epochsFrom: 1,
    literals: ['/step', ' - '],
    beside: '/',
    pattern: String.raw`(?:^|\s)(?P<within>\d+)/(?:(?P<withinTotal>\d+) +(?:[\x{2501}\x{2500}]+|\[[=>.]+\]|-) |Unknown +).*(?:/step| - \w+: )`,
  },
  {
    form: 'keras-hapi',
    epochsFrom: 1,
    literals: ['step '],
    pattern: String.raw`^step +(?P<within>\d+)/(?P<withinTotal>\d+) (?:\[[=>.]*\] )?- `,
  },
  {
    form: 'lightning',
    epochsFrom: 0,
    literals: ['epoch '],
    beside: '%|',
    pattern: String.raw`\bEpoch (?P<epoch>\d+)(?:/\d+)?: +\d{1,3}%\|[^|]*\| (?P<within>\d+)/(?P<withinTotal>\d+) \[`,
  },
  {
    form: 'tqdm',
    isBar: true,
    literals: ['%|'],
    pattern: String.raw`(?:^|\s)(?:(?P<desc>[^|]*\S):? +)?\d{1,3}%\|[^|]*\| (?P<n>\d[\d.]*[kMGT]?)/(?P<nTotal>\d[\d.]*[kMGT]?) \[\d[\d:]*<[^,]*, `,
  },
]);

/** A word for a step, and its number: holds only beside a loss of the training. */
export const PLAIN = compileRows([
  {
    form: 'plain',
    literals: ['step', 'iter', 'update'],
    pattern: String.raw`(?i)\b(?:global[_ ]?step|train[_ ]?step|step|iter(?:ation)?|update)s?['"]?\s*[:=#\[( ]\s*(?P<step>\d[\d,]*)(?:\s*(?:/|of)\s*(?P<total>\d[\d,]*))?`,
  },
])[0]!;

/** How the words begin for what programs do before they train, and what its bars count. */
const WORK =
  'download|fetch|load|extract|map|filter|tokeniz|cast|generat|writ|sav|upload|pack|resolv|preprocess|process|pars|read|cach|build|index|warm|sampl|merg|prefetch|capturing';
const UNITS = 'example|file|shard|row|tok|token|sample|prompt|request';

/** Lines of a program that lives and makes no step. Asked before the forms. */
export const NO_STEPS = compileRows([
  {
    kind: 'other',
    literals: WORK.split('|'),
    beside: '%|',
    pattern: String.raw`(?i)(?:^|[\s\]:])(?:${WORK})[^|]*: +\d{1,3}%\|`,
  },
  {
    kind: 'other',
    literals: [
      'b/s',
      's/b',
      ...UNITS.split('|').map((unit) => `${unit}/s`),
      ...UNITS.split('|').map((unit) => `${unit}s/s`),
    ],
    beside: '%|',
    pattern: String.raw`\d{1,3}%\|[^|]*\|[^\[]*\[[^\]]*(?:B/s|s/B|(?:${UNITS})s?/s)\b`,
  },
  {
    kind: 'evaluation',
    literals: ['val', 'test', 'predict', 'sanity'],
    pattern: String.raw`(?i)(?:^|[\s\]:])(?:valid\w*|eval\w*|val|test\w*|predict\w*|sanity checking)\b[^|]*: +\d{1,3}%\||\bvalidate step: |\b(?:Iter|Epoch)\((?:val|test)\)|^\[Eval batch=|\[eval_step=|validation loss at iteration|^Validation: iteration|^Test(?:ing)?: ?\[|^step \d+: train loss \S+, val loss|\bstep:\d+/\d+ val_loss:|Progress on:(?:eval|valid|test|predict)|(?:^|[^'])\{['"]eval_|eval metrics after step`,
  },
]);

/** Lines that say more of the report before or after them. */
export const FIELD_LINES = compileRows([
  { literals: ['epoch '], pattern: String.raw`^Epoch (?P<epoch>\d+)/(?P<epochs>\d+)$` },
  {
    literals: ['loss'],
    pattern: String.raw`^\s+[Tt]rain[ /](?:\S+ )?[Ll]oss\S*[:=] ?(?P<loss>[-+]?[\d.]+(?:e[-+]?\d+)?|nan)`,
  },
]);
