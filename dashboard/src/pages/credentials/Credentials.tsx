/** A partner's tokens, and the requests to paste into its ad server. */
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Snippets } from './Snippets';
import { Tokens } from './Tokens';
import { partner as partnerTexts } from '../../texts/partner';
import { texts } from '../../texts';

const text = partnerTexts.credentials;

export default function Credentials() {
  return (
    <PageBody narrow>
      <PageHeader title={texts.titles.partnerCredentials} about={text.about} />
      <Tokens />
      <Snippets />
    </PageBody>
  );
}
