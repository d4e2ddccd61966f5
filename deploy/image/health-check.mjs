// Asks the process of this container whether it is ready, as Docker has no probe of its own that speaks HTTP.
const port = process.env.SIGNALBOX_HTTP_PORT || '9464';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(4_000) });
  const text = (await answer.text()).trim();
  console.log(text);
  process.exitCode = answer.ok ? 0 : 1;
} catch (error) {
  console.log(`no answer at port ${port}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
