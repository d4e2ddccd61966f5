// Stands in for sshd: runs commands for those who prove that they hold the private key.
import { createServer } from 'node:net';
import { openChannel } from '../../lib/channel.mjs';
import { serve } from '../../lib/remote-command.mjs';
import { createChallenge, isAnswer } from './keys.mjs';

/** In place of 22, on which only root may listen. */
export const PORT = 2222;

export function listen(host, folder) {
  createServer(async (socket) => {
    const channel = openChannel(socket);
    try {
      const challenge = createChallenge();
      channel.send({ challenge });
      const { answer } = await channel.receive();
      if (!isAnswer(answer, challenge, folder)) throw new Error('a caller has another key');
      await serve(channel);
    } catch (error) {
      console.error(error.message);
      socket.destroy();
    }
  }).listen(PORT, host);
}
