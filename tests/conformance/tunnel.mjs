// tunnel.mjs <file>: a port that speaks plain HTTP, and TLS to the port on this machine that the file names.
// The suite speaks plain HTTP in some scenarios whatever its URL says; this way all of them reach a server over TLS.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { connect } from 'node:tls';

const target = process.argv[2];
const ca = process.argv[3] && readFileSync(process.argv[3]);
const server = createServer(plain => {
  const secure = connect({ host: 'localhost', port: Number(readFileSync(target, 'utf8')), servername: 'localhost', ca });
  plain.pipe(secure).pipe(plain);
  for (const [one, other] of [[plain, secure], [secure, plain]]) {
    one.on('error', () => other.destroy());
    one.on('close', () => other.destroy());
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
