// page_driver.mjs <authorization URL> <port>: signs in through the pages of the URL like a user, and prints the URL that the
// browser was redirected to, on this port.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { browse } from './http_browser.mjs';

const [url, port] = process.argv.slice(2);
let received;
const server = createServer((request, response) => {
  received = request.url;
  response.end('done');
}).listen(Number(port), '127.0.0.1');
await once(server, 'listening');
await browse(url);
server.close();
console.log(`http://127.0.0.1:${port}${received}`);
