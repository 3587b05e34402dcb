/** What a project's own servers and its partners receive about installs and events. */
import { PageBody } from '../../components/PageBody';
import { PageHeader } from '../../components/page-header';
import { Panel } from '../../components/Panel';
import { Snippet } from '../../components/Snippet';
import { Secrets } from '../../components/postbacks/Secrets';
import { useProject } from '../../session';
import { postbacks as text } from '../../texts/postbacks';
import { Overrides } from './Overrides';
import { Suspicious } from './Suspicious';
import { VERIFY } from './verify';
import { Webhooks } from './Webhooks';

export default function Postbacks() {
  const { id } = useProject();
  return (
    <PageBody narrow>
      <PageHeader title={text.project.title} about={text.project.about} />
      <Webhooks />
      <Panel title={text.verify.title} about={text.verify.about}>
        <div style={{ paddingTop: 8 }}>
          <Snippet code={VERIFY} />
        </div>
      </Panel>
      <Overrides />
      <Secrets place={{ area: 'project', id }} mayChange />
      <Suspicious />
    </PageBody>
  );
}
