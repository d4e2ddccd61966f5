import { hideInText } from '../contracts/secrets/hide-in-text.ts';
import { SHOWN_LENGTH, shownLine, textOfLine } from '../contracts/secrets/shown-line.ts';
import { findSignature, type SignatureCode, signatureOf } from '../contracts/signatures.ts';
import { truncate } from '../language/shorten.ts';

/** What a log says of how its program ended. */
interface FoundError {
  /** The line that says it best, without what looks like a secret. */
  readonly line: string;
  /** What kind of end it tells of, if that is known. */
  readonly signature?: SignatureCode;
}

/** A line that may say it. */
interface Trouble {
  readonly text: string;
  readonly isException: boolean;
  readonly signature: SignatureCode | undefined;
  /** It came while the trouble before it was handled, or because of that. */
  readonly isChained: boolean;
}

/**
 * Returns what a log says of how its program ended: its last exception, or last line with a signature; where that only follows
 * from another, the first line that does not. Else the last line that names an error.
 */
export function errorIn(lines: readonly string[]): FoundError | undefined {
  const troubles = troublesIn(lines);
  const last = troubles.findLast((one) => one.isException || one.signature);
  const found =
    last === undefined
      ? troubles.at(-1)
      : isCascade(last)
        ? rootOf(troubles.slice(0, troubles.indexOf(last) + 1))
        : firstOfChain(troubles, last);
  return (
    found && {
      line: shownAround(found.text).toWellFormed(),
      ...(found.signature ? { signature: found.signature } : {}),
    }
  );
}

function troublesIn(lines: readonly string[]): Trouble[] {
  const troubles: Trouble[] = [];
  let isChained = false;
  for (const line of lines) {
    const whole = textOfLine(truncate(line, READ_LENGTH));
    if (CHAINED.test(whole)) isChained = true;
    const isException = EXCEPTION.test(whole);
    if (OF_LAUNCHERS.test(whole) || !(isException || TROUBLE.test(whole))) continue;
    const advice = whole.search(ADVICE);
    if (advice >= 0 && !isException) continue;
    const text = hideInText(whole);
    const signature = findSignature(advice < 0 ? text : text.slice(0, advice));
    if (!(isException || signature || OTHER_ERROR.test(text))) continue;
    troubles.push({ text, isException, signature, isChained });
    isChained = false;
  }
  return troubles;
}

/** Of a longer line the rest is not read. */
const READ_LENGTH = 2_000;

const isCascade = ({ signature }: Trouble): boolean => signatureOf(signature)?.class === 'cascade';

/** The first line that says why another process of the log ended, else the last exception of its own, else the first at all. */
const rootOf = (troubles: readonly Trouble[]): Trouble | undefined =>
  troubles.find((one) => one.signature && !isCascade(one)) ??
  troubles.findLast((one) => one.isException && !isCascade(one)) ??
  troubles.find((one) => one.signature);

/** An exception that was raised while another one was handled often says less than that. */
function firstOfChain(troubles: readonly Trouble[], last: Trouble): Trouble {
  if (last.signature) return last;
  for (let at = troubles.indexOf(last); troubles[at]?.isChained; at--) {
    const before = troubles[at - 1];
    if (before?.signature && !isCascade(before)) return before;
  }
  return last;
}

/** Of a long line, the part with the signature. */
function shownAround(text: string): string {
  const code = findSignature(text);
  const at = code === undefined ? -1 : text.search(signatureOf(code)!.pattern);
  return at < SHOWN_LENGTH / 2 ? shownLine(text) : shownLine(`…${text.slice(at - BEFORE)}`);
}

const BEFORE = 20;

/** `torch.cuda.OutOfMemoryError: CUDA out of memory`, `AssertionError`; with the rank before it, as torch and MPI print it. */
const EXCEPTION =
  /^(?:\[[^\]]{0,80}\](?:<std(?:err|out)>)?:? ?){0,4}(?:Uncaught |Caused by: )?(?:[a-z_][\w$]{0,80}\.){0,12}(?:[A-Z]\w{0,80}(?:Error|Exception|Interrupt|Exit)|Error|Exception)(?: \[\w{1,80}\])?(?:: |:?$)/;

/** What every line has that tells of trouble, or nearly every. */
const TROUBLE =
  /error|exception|fatal|fail|kill|panic|abort|assert|segmentation|core dumped|out of memory|terminate|cannot|can't|unable|no such|no space|not found|denied|refused|reset|closed|exceeded|exited|timed? ?out|hang|hung|stuck|lost|stopp(?:ing|ed)|xid|warn|interrupt|sigterm|noticed|mpi_abort|stale|too many/i;

const OTHER_ERROR =
  /\b(?:errors?|fatal|panic|abort(?:ed|ing)|segmentation fault|core dumped|out of memory|terminate called|assertion .{0,200}failed|command not found|no such file or directory|permission denied|killed)\b/i;

/** Python's words between two exceptions. */
const CHAINED =
  /^(?:\[[^\]]{0,80}\]:? ?){0,4}(?:The above exception was the direct cause of|During handling of the above exception)/;

/** What programs recommend or suppose: no fact. */
const ADVICE =
  /might be (?:asynchronously )?reported|consider (?:passing|setting|using)|possibly due to|(?:can|may|could|might) (?:also )?be (?:caused|due|related)|usually (?:means|caused)|this (?:typically|usually|often|may|might|could)|compile with `?torch_use_cuda_dsa|if reserved but unallocated|try (?:setting|reducing|to set)|to enable traceback see|for more (?:details|information)|see (?:also )?(?:the )?documentation|hint:|please (?:check|make sure|see|refer|ensure|consider)/i;

/** What launchers print below the failure of a program that they ran. */
const OF_LAUNCHERS = /^(?:error_file|traceback) ?: /;
