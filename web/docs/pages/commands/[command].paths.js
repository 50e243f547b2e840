import { commands, pageOf } from '../../scripts/commands.mjs';

export default {
  paths: () => commands().map((command) => ({ params: { command: command.slug }, content: pageOf(command) })),
};
