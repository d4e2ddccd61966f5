import { describe, expect, it } from '@jest/globals';
import { matchesJob } from '../../notify/routes/matches-job.ts';
import { routesIn } from '../../notify/routes/read-routes.ts';
import { whenSchema } from '../../notify/routes/when.ts';

const faultsIn = (text: string): readonly string[] => {
  const read = routesIn(text, 'routes.yaml');
  return 'faults' in read ? read.faults.map((fault) => fault.replace('routes.yaml: ', '')) : [];
};

const GOOD = `
receivers:
  vision: {type: slack, urlFile: /secrets/slack}
  ops: {type: webhook, url: https://hooks.example/x, secretFile: /secrets/key}
  mail: {type: email, server: smtps://smtp.example:465, from: a@example.com, to: [b@example.com]}
  pager: {type: alertmanager, url: http://alertmanager.monitoring:9093, labels: {severity: page}}
routes:
  ends: {to: vision, when: {labels: {team: vision}, phase: [Failed, Stopped]}}
  waits: {to: mail, when: {namespace: ml-*, phase: Pending, reason: WaitingForGang, for: 30m}}
  silent: {to: ops, when: {silent: true, for: 10m}}
  engine: {to: pager, when: {engine: [ArchiveEndangered, NoWorker], for: 5m}}
allow: [10.0.0.0/8, fd00::/8]
links: {Console: 'https://console.example/jobs/{namespace}/{name}'}
`;

it('a file of routes is read', () => {
  const read = routesIn(GOOD, 'routes.yaml');
  expect(read).toMatchObject({
    routes: { routes: { waits: { when: { phase: ['Pending'], for: 1_800_000 } } } },
  });
});

describe('faults of a file name path, expectation and value', () => {
  const changed = (from: string | RegExp, to: string) => faultsIn(GOOD.replace(from, to));

  it.each([
    [
      'a phase',
      changed('[Failed, Stopped]', 'Fialed'),
      /^routes\.ends\.when\.phase.*: expected a phase.*did you mean Failed\?.*got "Fialed"$/,
    ],
    [
      'a reason',
      changed('reason: WaitingForGang', 'reason: WaitForGang'),
      /routes\.waits\.when\.reason.*did you mean WaitingForGang\?/,
    ],
    [
      'a condition',
      changed('ArchiveEndangered', 'ArchiveEndanger'),
      /routes\.engine\.when\.engine.*did you mean ArchiveEndangered\?/,
    ],
    [
      'a receiver',
      changed('to: vision', 'to: vison'),
      /^routes\.ends\.to: expected a receiver \(did you mean vision\?\), got "vison"$/,
    ],
    [
      'a field',
      changed('urlFile:', 'urlfile:'),
      /^receivers\.vision\.urlfile: expected a known field \(did you mean urlFile\?\)/,
    ],
    [
      'a field of when',
      changed('silent: true', 'slient: true'),
      /routes\.silent\.when\.slient: .*did you mean silent\?/,
    ],
    ['a section', changed('links:', 'link:'), /^link: .*did you mean links\?/],
    ['a type', changed('type: slack', 'type: slak'), /^receivers\.vision\.type: expected .*webhook, slack/],
    [
      'no address',
      changed(', urlFile: /secrets/slack', ''),
      /^receivers\.vision: expected one of url, urlFile/,
    ],
    [
      'two addresses',
      changed('url: https://hooks', 'urlFile: /x, url: https://hooks'),
      /^receivers\.ops: expected one of url, urlFile/,
    ],
    [
      'a URL',
      changed('https://hooks.example/x', 'hooks.example'),
      /^receivers\.ops\.url: expected a URL .*got "hooks.example"$/,
    ],
    [
      'a password in a URL',
      changed('smtps://smtp', 'smtps://u:p@smtp'),
      /^receivers\.mail\.server: expected smtps:\/\/HOST:PORT/,
    ],
    [
      'a user alone',
      changed('from: a@', 'userFile: /u, from: a@'),
      /^receivers\.mail: expected both or none of userFile, passwordFile/,
    ],
    [
      'nobody to write to',
      changed(', to: [b@example.com]', ''),
      /^receivers\.mail: expected one of to, owners/,
    ],
    [
      'an addressee with a name',
      changed('to: [b@example.com]', 'to: ["B <b@example.com>"]'),
      /^receivers\.mail\.to\[0\]: expected a mail address/,
    ],
    [
      'owners anywhere',
      changed('to: [b@example.com]', 'owners: ["*"]'),
      /^receivers\.mail\.owners\[0\]: expected a mail address, or all that end so/,
    ],
    [
      'the engine told to owners',
      faultsIn(
        GOOD.replace('to: [b@example.com]', 'owners: ["*@example.com"]').replace('to: pager', 'to: mail'),
      ),
      /^routes\.engine\.to: expected a receiver that has `to`: nobody owns the engine, got "mail"$/,
    ],
    ['a network', changed('10.0.0.0/8', '10.0.0.0/33'), /^allow\[0\]: expected a network/],
    [
      'nothing to tell',
      changed('silent: true, for: 10m', 'namespace: ml'),
      /^routes\.silent\.when: expected at least one of phase, reason, class, silent, budgetUsed, goodputBelow, engine/,
    ],
    [
      'a share',
      changed('silent: true, for: 10m', 'goodputBelow: 50'),
      /^routes\.silent\.when\.goodputBelow: expected a number > 0 and <= 1, e\.g\. 0\.5, got 50/,
    ],
    [
      'a duration beside goodputBelow',
      changed('silent: true,', 'goodputBelow: 0.5,'),
      /^routes\.silent\.when\.for: expected none beside goodputBelow/,
    ],
    [
      'jobs and the engine',
      changed('for: 5m', 'phase: Failed'),
      /^routes\.engine\.when\.phase: expected nothing of jobs beside engine/,
    ],
    ['a duration', changed('for: 30m', 'for: soon'), /^routes\.waits\.when\.for: expected a duration > 0/],
    ['YAML', faultsIn('receivers: {'), /expected YAML/],
    ['no document', faultsIn(''), /expected/],
  ])('%s', (_, faults, expected) => {
    expect(faults.join('\n')).toMatch(expected);
    expect(faults).toHaveLength(1);
  });
});

it('a fault shows no password', () => {
  const text = faultsIn(GOOD.replace('smtps://smtp', 'smtps://ana:opensesame7@smtp')).join();
  expect(text).toContain('receivers.mail.server: expected smtps://HOST:PORT');
  expect(text).not.toContain('opensesame7');
});

describe('which jobs a route chooses', () => {
  const job = {
    workflowId: 'w',
    runId: 'r',
    namespace: 'ml-vision',
    name: 'train-7b',
    kind: 'PyTorchJob',
    submittedBy: 'ana',
  };
  it.each([
    [{ namespace: 'ml-*' }, true],
    [{ namespace: 'ml' }, false],
    [{ namespace: ['other', '*-vision'] }, true],
    [{ name: 'tr*-*b' }, true],
    [{ name: 'train-7b*7b' }, false],
    [{ kind: 'PyTorchJob', submittedBy: 'ana' }, true],
    [{ submittedBy: 'eve' }, false],
    [{ labels: { team: 'vision' } }, true],
    [{ labels: { team: 'vision', tier: 'x' } }, false],
  ])('%j', (when, chosen) => {
    const read = whenSchema.parse({ ...when, phase: 'Failed' });
    expect(matchesJob(read, { ...job, labels: { team: 'vision' } })).toBe(chosen);
  });
});
