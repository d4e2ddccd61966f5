const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** Shows the current step and its elapsed time: a spinner on a terminal, otherwise a line every five seconds. */
export function startProgress(what, stream = process.stderr) {
  const begin = Date.now();
  const elapsed = () => `${Math.round((Date.now() - begin) / 1000)} s`;
  let frame = 0;
  const spin = () => {
    frame = (frame + 1) % FRAMES.length;
    stream.write(`\r\x1b[K${FRAMES[frame]} ${what} … ${elapsed()}`);
  };
  const tell = () => stream.write(`${what}: ${elapsed()} so far\n`);
  if (!stream.isTTY) stream.write(`${what} …\n`);
  const timer = stream.isTTY ? setInterval(spin, 100) : setInterval(tell, 5_000);
  return {
    end(isGood) {
      clearInterval(timer);
      if (stream.isTTY) stream.write('\r\x1b[K');
      if (isGood) stream.write(`${what}: done in ${elapsed()}\n`);
    },
  };
}
