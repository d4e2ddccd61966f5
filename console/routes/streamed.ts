import type { WebAnswer } from '../http/answer.ts';
import { ProblemError } from '../http/problem-error.ts';
import type { Need } from '../identity/rights.ts';
import { EventStream, lastHeard } from '../live/event-stream.ts';
import type { PageRequest, Tools } from './route.ts';

const RECHECK_MS = 30_000;
const MOST_STREAMS = 2_000;
let open = 0;

/** Answers with a stream, which ends when the person's rights do. */
export function streamed(
  { rights, identity, log }: Tools,
  { request, query, person }: PageRequest,
  {
    need,
    begin,
  }: {
    readonly need: Need | undefined;
    readonly begin: (stream: EventStream, after: string | undefined) => void;
  },
): WebAnswer {
  if (open >= MOST_STREAMS)
    throw new ProblemError(503, 'Too many pages are open. This one does not follow what happens.');
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
      open += 1;
      const endUnlessAllowed = async () => {
        if (await stillMay()) return;
        stream.send({ event: 'reload' });
        stream.close();
      };
      const check = setInterval(() => void endUnlessAllowed(), RECHECK_MS);
      stream.onClose(() => {
        clearInterval(check);
        open -= 1;
      });
      begin(stream, lastHeard(request, query));
    },
  };
}
