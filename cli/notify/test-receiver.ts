import type { NotifiedChange } from '../../contracts/notifications.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { errorMessage } from '../../language/error-message.ts';
import { orMeant } from '../../language/meant.ts';
import { askReceiver, deliverTo } from '../../notify/delivery/channels.ts';
import { UsageError } from '../shell/errors.ts';
import { routesOf } from './checked-routes.ts';

interface TestResult {
  readonly receiver: string;
  readonly answer: string;
}

/** Sends a message that says it is a test, from this machine: its network may be another one than the notifier's. */
export async function testReceiver(
  file: string | undefined,
  name: string,
  owner?: string,
): Promise<TestResult> {
  const { routes } = await routesOf(file);
  const receiver = Object.hasOwn(routes.receivers, name) ? routes.receivers[name] : undefined;
  if (!receiver) {
    const names = Object.keys(routes.receivers);
    throw new UsageError(`There is no receiver ${name}${orMeant(nearest(name, names))}`, {
      remedy: `The file has ${names.join(', ') || 'none'}.`,
    });
  }
  try {
    const asked = await askReceiver(receiver, routes.allow);
    const id = `notify/test/${Date.now()}`;
    const answer = await deliverTo(
      routes,
      { id, route: 'test', to: name, notices: [noticeFor(name, owner)] },
      'test',
    );
    return { receiver: name, answer: asked === undefined ? answer : `${answer} (handshake: ${asked})` };
  } catch (error) {
    throw new NotTakenError(`${name} did not take it: ${errorMessage(error)}.`, { cause: error });
  }
}

class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
  readonly remedy =
    'Mend the address, the secret or `allow` in the file of routes, and test again (docs/notifications.md#receivers).';
}

const noticeFor = (receiver: string, owner: string | undefined): NotifiedChange => ({
  key: 'test',
  at: new Date().toISOString(),
  message: `This is a test of the receiver ${receiver}: no job has failed.`,
  job: {
    ...{
      workflowId: 'job/example/test',
      runId: '00000000-0000-0000-0000-000000000000',
      namespace: 'example',
    },
    ...{ name: 'test', kind: 'Job', phase: 'Failed', reason: 'PodFailed', attempt: 1 },
    ...(owner === undefined ? {} : { owner }),
  },
});
