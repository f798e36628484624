// tunnel.mjs <file>: accepts plain HTTP and forwards it over TLS to the local port that the file names.
// Some scenarios of the suite use plain HTTP even for an https URL; with the tunnel all of them reach a TLS server.
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
