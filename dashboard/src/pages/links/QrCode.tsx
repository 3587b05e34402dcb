/** The QR code of a link, to look at and to download. */
import { Alert, Button, ColorInput, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { ErrorBox } from '../../components/ErrorBox';
import { download } from '../../components/files';
import { useProject } from '../../session';
import { findContrast, isHex } from './contrast';
import classes from './Links.module.css';
import { qrQuery } from './queries';
import { links as linksTexts } from '../../texts/links';
import { texts } from '../../texts';

const text = linksTexts.detail;
const colourTexts = linksTexts.colours;
const SIZE = 172;
/** The contrast that most cameras read. */
const ENOUGH = 4;
/** The size of the downloaded image, in pixels: enough for print. */
const PRINT = 1200;

const toDataUrl = (svg: string) => `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;

/** The code as an image, drawn by the browser. */
async function drawPng(svg: string): Promise<string> {
  const image = new Image(PRINT, PRINT);
  image.src = toDataUrl(svg.replace('<svg ', `<svg width="${PRINT}" height="${PRINT}" `));
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PRINT;
  canvas.height = PRINT;
  canvas.getContext('2d')?.drawImage(image, 0, 0, PRINT, PRINT);
  return canvas.toDataURL('image/png');
}

export function QrCode({ displayId }: { displayId: string }) {
  const [colours, setColours] = useState({ dark: '#000000', light: '#ffffff' });
  const [shown] = useDebouncedValue(colours, 300);
  const legal = isHex(shown.dark) && isHex(shown.light) ? shown : undefined;
  const { data: svg, error, isPending, refetch } = useQuery(qrQuery(useProject().id, displayId, legal));
  if (error) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton height={SIZE} width={SIZE} mt="xs" mb={38} />;
  if (svg === null) return <Text size="sm">{text.qrNone}</Text>;
  const file = `qr-${displayId}`;
  return (
    <>
      <img className={classes.qr} src={toDataUrl(svg)} alt={`${text.qr} ${displayId}`} width={SIZE} height={SIZE} />
      <Group gap="xs" mt="xs" grow>
        {(['dark', 'light'] as const).map((name) => (
          <ColorInput
            key={name}
            size="xs"
            label={colourTexts[name]}
            format="hex"
            withEyeDropper={false}
            value={colours[name]}
            onChange={(value) => setColours((before) => ({ ...before, [name]: value }))}
          />
        ))}
      </Group>
      {legal && <Warning {...legal} />}
      <Group gap="xs" mt="xs">
        <Button size="compact-xs" variant="default" onClick={() => download(`${file}.svg`, toDataUrl(svg))}>
          {text.svg}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void drawPng(svg).then((image) => download(`${file}.png`, image))}
        >
          {texts.tools.png}
        </Button>
      </Group>
    </>
  );
}

/** What keeps cameras from reading the code. */
function Warning({ dark, light }: { readonly dark: string; readonly light: string }) {
  const { ratio, isInverted } = findContrast(dark, light);
  if (ratio >= ENOUGH && !isInverted) return null;
  return (
    <Alert variant="light" color="yellow" p="xs" mt="xs">
      {ratio < ENOUGH ? colourTexts.weak(ratio.toFixed(1)) : colourTexts.inverted}
    </Alert>
  );
}
