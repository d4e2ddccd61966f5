import type { WebAnswer } from '../http/answer.ts';
import type { Denial } from '../http/denied-error.ts';
import type { Need } from '../identity/rights.ts';
import { EventStream, lastHeard } from '../live/event-stream.ts';
import { consoleMetrics } from '../metrics.ts';
import type { PageRequest, Tools } from './route.ts';

const RECHECK_MS = 30_000;

/** Answers with a stream, which ends when the person's rights do. */
export function streamed(
  { rights, identity, log, streams }: Tools,
  { request, query, person }: PageRequest,
  {
    need,
    begin,
  }: {
    readonly need: Need | undefined;
    readonly begin: (stream: EventStream, after: string | undefined) => void;
  },
): WebAnswer {
  streams.refuseIfFull();
  const stillMay = async (): Promise<boolean> => {
    try {
      const same = (await identity.identify(request))?.name === person.name;
      return same && (need === undefined || (await rights.may(person, need)));
    } catch (error) {
      // Without an answer nobody is allowed.
      log.warn({ err: error }, 'the rights of a viewer are not known');
      return false;
    }
  };
  return {
    status: 200,
    stream: (response) => {
      const stream = new EventStream(response);
      const remove = streams.add(person.name);
      const endUnlessAllowed = async () => {
        if (await stillMay()) return;
        consoleMetrics.refused.inc({ reason: 'NoRight' satisfies Denial });
        stream.send({ event: 'reload' });
        stream.close();
      };
      const check = setInterval(() => void endUnlessAllowed(), RECHECK_MS);
      stream.onClose(() => {
        clearInterval(check);
        remove();
      });
      begin(stream, lastHeard(request, query));
    },
  };
}
