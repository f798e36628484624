// A server of @olaservo/ext-skills for the folder given as the argument, in both eras.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { discoverSkills, registerSkillResources } from '@olaservo/ext-skills/server';

const folder = process.argv[2];
const skills = discoverSkills(folder);
serveStdio(() => {
  const server = new McpServer({ name: 'ext-skills', version: '1' }, { capabilities: { resources: {} } });
  registerSkillResources(server, skills, folder, { template: true, directoryRead: true });
  return server;
});
