import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { NotifiedChange } from '../../contracts/notifications.ts';
import { alertsOf } from '../../notify/delivery/alertmanager.ts';
import { messageOf } from '../../notify/delivery/message.ts';
import { slackBody } from '../../notify/delivery/slack.ts';
import { teamsBody } from '../../notify/delivery/teams.ts';
import { cloudEvent, signatureHeaders } from '../../notify/delivery/webhook.ts';

const notice = (name = 'train', more: Partial<NotifiedChange> = {}): NotifiedChange => ({
  key: `run-${name}/9`,
  at: '2026-12-01T08:00:00.000Z',
  message: 'train-worker-1 on node gpu-7: container pytorch exited with code 1',
  remedy: 'Look at `signalbox logs train`.',
  job: {
    ...{ workflowId: `job/ml/${name}`, runId: 'run', namespace: 'ml', name, kind: 'PyTorchJob' },
    ...{ phase: 'Failed', reason: 'PodFailed', attempt: 2, node: 'gpu-7', submittedBy: 'ana' },
  },
  ...more,
});

const links = { Console: 'https://console.example/{namespace}/{name}' };
const worded = (notices: readonly NotifiedChange[], text?: string) =>
  messageOf(notices, { id: 'notify/ops/run/9', route: 'ops', links, ...(text ? { text } : {}) });

describe('a message', () => {
  it('of one job says what happened, what helps, and where to look', () => {
    const { title, lines, links: shown } = worded([notice()]);
    expect(title).toBe('Failed: ml/train (PodFailed)');
    expect(lines).toEqual([
      'train-worker-1 on node gpu-7: container pytorch exited with code 1',
      'What helps: Look at `signalbox logs train`.',
      'Since 2026-12-01T08:00:00.000Z, attempt 2, PyTorchJob, submitted by ana',
    ]);
    expect(shown).toEqual([{ title: 'Console', url: 'https://console.example/ml/train' }]);
  });

  it('of many says their number and cause once, and names the first', () => {
    const { title, lines } = worded(Array.from({ length: 40 }, (_, index) => notice(`job-${index}`)));
    expect(title).toBe('40 jobs: Failed (PodFailed)');
    expect(lines[0]).toContain('exited with code 1');
    expect(lines[1]).toBe('ml/job-0');
    expect(lines.at(-1)).toBe('and 25 more');
  });

  it('has the first line that the file asks for', () => {
    expect(worded([notice()], '{name} of {submittedBy} is {phase}').title).toBe('train of ana is Failed');
  });

  it('has no line that others wrote into it', () => {
    const { lines } = worded([notice('train', { message: 'one\r\nBcc: eve@example.com\n\u202etwo' })]);
    expect(lines[0]).toBe('one Bcc: eve@example.com two');
    const job = { ...notice().job!, submittedBy: 'ana\nWhat helps: call eve', name: 'train\nx' };
    expect(worded([notice('train', { job })]).lines.join()).not.toContain('\n');
    expect(worded([notice('train', { job }), notice()]).lines.join()).not.toContain('\n');
  });
});

describe('a group of jobs', () => {
  const group = worded([notice('a'), notice('b')]);

  it('links each of them where a receiver shows jobs one by one', () => {
    expect(alertsOf({}, group, 0).map(({ generatorURL }) => generatorURL)).toEqual([
      'https://console.example/ml/a',
      'https://console.example/ml/b',
    ]);
    expect(cloudEvent(group, 'abc').data).toMatchObject({
      first: [{ links: [{ url: 'https://console.example/ml/a' }] }, { links: [{ title: 'Console' }] }],
    });
  });

  it('has no links where there is no room for them', () => {
    const wide = { Console: `https://console.example/${'x'.repeat(800)}/{name}` };
    const many = Array.from({ length: 100 }, (_, index) => notice(`job-${index}`));
    const event = cloudEvent(messageOf(many, { id: 'id', route: 'ops', links: wide }), 'abc');
    expect(JSON.stringify(event)).not.toContain('xxx');
    expect(JSON.stringify(event).length).toBeLessThan(20_000);
  });
});

describe('a webhook', () => {
  it('gets a CloudEvent', () => {
    expect(cloudEvent(worded([notice()]), 'abc')).toMatchObject({
      ...{ specversion: '1.0', id: 'notify/ops/run/9', source: '/installations/abc' },
      ...{ type: 'dev.signalbox.job.failed.v1', subject: 'ml/train', datacontenttype: 'application/json' },
      data: { route: 'ops', job: { name: 'train', attempt: 2 }, message: expect.any(String) },
    });
  });

  it('gets one of less than 20 KB for any number of jobs', () => {
    const body = JSON.stringify(
      cloudEvent(
        worded(
          Array.from({ length: 200 }, (_, index) => notice(`job-${index}`, { message: 'x'.repeat(600) })),
        ),
        'abc',
      ),
    );
    expect(JSON.parse(body)).toMatchObject({ type: 'dev.signalbox.jobs.grouped.v1', data: { count: 200 } });
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  });

  it('is signed so that the reference library verifies it, with the old and the new key', () => {
    const keys = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
    const body = JSON.stringify({ a: 1 });
    const at = Math.floor(Date.now() / 1000);
    const headers = signatureHeaders('notify/ops/run/9', body, { secrets: keys.join('\n'), at });
    for (const key of keys) expect(new Webhook(key).verify(body, headers)).toEqual({ a: 1 });
    expect(() => new Webhook(keys[0]!).verify(`${body} `, headers)).toThrow();
  });
});

describe('chats', () => {
  const hostile = notice('train', {
    message: `<!channel> <https://evil.example|click> *bold* [a](b) ${'y'.repeat(5_000)}`,
  });

  it('Slack gets no mention or link of others, and not too much', () => {
    const body = slackBody(worded([hostile])) as { text: string; blocks: { text?: { text: string } }[] };
    const text = JSON.stringify(body.blocks[1]);
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toContain('<');
    for (const block of body.blocks) expect((block.text?.text ?? '').length).toBeLessThanOrEqual(3_000);
    expect(body.text).toBe('Failed: ml/train (PodFailed)');
  });

  it('Teams gets an Adaptive Card without Markdown of others, below 28 KB', () => {
    const body = JSON.stringify(teamsBody(worded([hostile])));
    expect(body).toContain('application/vnd.microsoft.card.adaptive');
    expect(body).toContain('\\\\*bold\\\\*');
    expect(Buffer.byteLength(body)).toBeLessThan(28_000);
  });
});

describe('Alertmanager', () => {
  it('gets an alert for each job, with labels by which it groups', () => {
    const alerts = alertsOf({ labels: { severity: 'page' } }, worded([notice('a'), notice('b')]), 0);
    expect(alerts).toHaveLength(2);
    expect(alerts[0]).toMatchObject({
      labels: {
        alertname: 'SignalboxJobFailed',
        severity: 'page',
        job_name: 'a',
        reason: 'PodFailed',
        node: 'gpu-7',
        route: 'ops',
      },
      annotations: { summary: 'Failed: ml/a (PodFailed)' },
      startsAt: '2026-12-01T08:00:00.000Z',
    });
  });
});
