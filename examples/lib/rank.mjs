// A rank of an MPI program that needs no MPI: meets the others. Each argument is a rank's name and address: pod=host.
import { meetAll } from './meet.mjs';
import { readPod, run } from './program.mjs';

const PORT = 2300; // any that is free in all pods

await run(async () => {
  const { name, address } = readPod();
  const ranks = process.argv.slice(2).map((argument) => {
    const [rank, host] = argument.split('=');
    return { name: rank, host, port: PORT };
  });
  await meetAll({ name, host: address }, ranks);
});
