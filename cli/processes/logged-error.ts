import { errorMessage } from '../../language/error-message.ts';

/** An error as the log has it. pino's own serializer joins the messages of all causes, also those that are in each other. */
interface LoggedError {
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
}

/**
 * Returns what is logged of an error. What a server or the system answers has a code, and is understood without a stack; all else is
 * a fault of a program. `debug`: a stack in any case.
 */
export function loggedError(error: unknown, { debug }: { readonly debug: boolean }): unknown {
  if (!(error instanceof Error)) return error;
  const causes = causesOf(error);
  const code = causes.map(codeOf).find((one) => one !== undefined);
  const stack = debug || code === undefined ? causes.map((one) => one.stack ?? one.message) : [];
  return {
    message: messageOf(causes),
    ...(code === undefined ? {} : { code }),
    ...(stack.length > 0 ? { stack: stack.join('\ncaused by ') } : {}),
  } satisfies LoggedError;
}

const MOST_CAUSES = 5;

function causesOf(error: Error): readonly Error[] {
  const found: Error[] = [];
  for (let one: unknown = error; one instanceof Error && found.length < MOST_CAUSES; one = one.cause)
    found.push(one);
  return found;
}

/** The message of a cause, unless an error above it has said it. */
const messageOf = (causes: readonly Error[]): string =>
  causes.map(errorMessage).reduce((said, next) => (said.includes(next) ? said : `${said}: ${next}`));

/** `$metadata`: of the SDK for S3. */
function codeOf(error: Error): unknown {
  const { code, status, $metadata } = error as Coded;
  return code ?? status ?? $metadata?.httpStatusCode;
}

interface Coded {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}
