package local

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"github.com/emersion/go-imap/v2/imapserver"
	"github.com/emersion/go-imap/v2/imapserver/imapmemserver"
)

// StartIMAP starts the IMAP server, again after [Server.StopIMAP] on the same
// port. [Start] has called it already.
func (s *Server) StartIMAP() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.imap != nil {
		return errors.New("start imap: is running")
	}
	caps := imap.CapSet{imap.CapIMAP4rev1: {}}
	if !s.opts.NoMove {
		caps[imap.CapIMAP4rev2] = struct{}{}
	}
	srv := imapserver.New(&imapserver.Options{
		Caps:         caps,
		InsecureAuth: !s.opts.TLS,
		TLSConfig:    s.serverTLS(),
		Logger:       printf{s.log},
		NewSession: func(c *imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return &imapSession{server: s, conn: c}, nil, nil
		},
	})
	if !s.opts.InMemory {
		addr := s.imapAddr
		if addr == "" {
			addr = "127.0.0.1:0"
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			return err
		}
		s.imapAddr = l.Addr().String()
		s.imapListener = l
		serve(l, srv.Serve)
	}
	s.imapPipe = newPipeListener()
	serve(s.imapPipe, srv.Serve)
	s.imap = srv
	return nil
}

// StopIMAP stops the IMAP server and ends its connections. Letters stay, and
// new ones are delivered.
func (s *Server) StopIMAP() {
	s.mu.Lock()
	srv, pipe, l := s.imap, s.imapPipe, s.imapListener
	s.imap, s.imapPipe, s.imapListener = nil, nil, nil
	s.mu.Unlock()
	if srv == nil {
		return
	}
	if l != nil {
		_ = l.Close()
	}
	_ = pipe.Close()
	_ = srv.Close()
}

// Disconnect ends all IMAP connections of a box, as a failing network would.
func (s *Server) Disconnect(addr string) {
	key, _ := boxKey(addr)
	s.mu.Lock()
	var conns []net.Conn
	for c, who := range s.conns {
		if who == key {
			conns = append(conns, c.NetConn())
		}
	}
	s.mu.Unlock()
	for _, c := range conns {
		_ = c.Close()
	}
}

// Connections says how many IMAP connections to a box are open and logged in.
func (s *Server) Connections(addr string) (n int) {
	key, _ := boxKey(addr)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, who := range s.conns {
		if who == key {
			n++
		}
	}
	return n
}

// Renumber gives the inbox of a box a new UIDVALIDITY and its letters new
// numbers, as a restored backup does, and ends the connections to it.
func (s *Server) Renumber(addr string) error {
	b, err := s.box(addr)
	if err != nil {
		return fmt.Errorf("renumber: %w", err)
	}
	s.observe.Lock() // nothing is delivered meanwhile
	defer s.observe.Unlock()
	if err := s.renumber(b.user); err != nil {
		return fmt.Errorf("renumber %s: %w", addr, err)
	}
	s.Disconnect(addr)
	return nil
}

// renumber does to the inbox what a client may do to any folder: a new one is
// made, the letters copied, the old one deleted, the new one renamed.
func (s *Server) renumber(user *imapmemserver.User) error {
	const aside = "renumbered"
	return s.inside(user, func(c *imapclient.Client) error {
		if err := c.Create(aside, nil).Wait(); err != nil {
			return err
		}
		if data, err := c.Select("INBOX", nil).Wait(); err != nil {
			return err
		} else if data.NumMessages > 0 {
			if _, err := c.Copy(imap.SeqSet{{Start: 1, Stop: data.NumMessages}}, aside).Wait(); err != nil {
				return err
			}
		}
		if err := c.Unselect().Wait(); err != nil {
			return err
		}
		if err := c.Delete("INBOX").Wait(); err != nil {
			return err
		}
		return c.Rename(aside, "INBOX", nil).Wait()
	})
}

// inside runs commands as a user who is logged in already.
func (s *Server) inside(user *imapmemserver.User, f func(*imapclient.Client) error) error {
	pipe := newPipeListener()
	srv := imapserver.New(&imapserver.Options{
		Caps:         imap.CapSet{imap.CapIMAP4rev1: {}, imap.CapIMAP4rev2: {}},
		InsecureAuth: true,
		Logger:       printf{s.log},
		NewSession: func(*imapserver.Conn) (imapserver.Session, *imapserver.GreetingData, error) {
			return imapmemserver.NewUserSession(user), &imapserver.GreetingData{PreAuth: true}, nil
		},
	})
	serve(pipe, srv.Serve)
	defer srv.Close()
	conn, err := pipe.dial(context.Background())
	if err != nil {
		return err
	}
	c := imapclient.New(conn, nil)
	defer c.Close()
	return f(c)
}

func (s *Server) box(addr string) (*box, error) {
	key, err := boxKey(addr)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.boxes[key]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("no box %s", addr)
}

// An imapSession is one connection. Before its login it has no user.
//
// It does its own waiting. The library's loses what happens between the last
// answer and the moment when IDLE begins to listen: the client would sleep over
// a letter.
type imapSession struct {
	*imapmemserver.UserSession
	server *Server
	conn   *imapserver.Conn
	box    *box
}

// Login implements [imapserver.Session].
func (c *imapSession) Login(name, password string) error {
	b := c.server.authenticate(name, password)
	if b == nil {
		return imapserver.ErrAuthFailed
	}
	c.UserSession, c.box = imapmemserver.NewUserSession(b.user), b
	c.server.mu.Lock()
	c.server.conns[c.conn] = b.addr
	c.server.mu.Unlock()
	return nil
}

// Close implements [imapserver.Session].
func (c *imapSession) Close() error {
	c.server.mu.Lock()
	delete(c.server.conns, c.conn)
	c.server.mu.Unlock()
	return c.UserSession.Close()
}

// Idle implements [imapserver.Session].
func (c *imapSession) Idle(w *imapserver.UpdateWriter, stop <-chan struct{}) error {
	news := make(chan struct{}, 1)
	c.box.listen(news, true)
	defer c.box.listen(news, false)
	for {
		if err := c.Poll(w, true); err != nil {
			return err
		}
		select {
		case <-news:
		case <-stop:
			return nil
		}
	}
}

// Append implements [imapserver.Session].
func (c *imapSession) Append(folder string, r imap.LiteralReader, o *imap.AppendOptions) (*imap.AppendData, error) {
	defer c.box.notify()
	return c.UserSession.Append(folder, r, o)
}

// Copy implements [imapserver.Session].
func (c *imapSession) Copy(set imap.NumSet, folder string) (*imap.CopyData, error) {
	defer c.box.notify()
	return c.UserSession.Copy(set, folder)
}

// Move implements [imapserver.SessionMove].
func (c *imapSession) Move(w *imapserver.MoveWriter, set imap.NumSet, folder string) error {
	defer c.box.notify()
	return c.UserSession.Move(w, set, folder)
}

// Expunge implements [imapserver.Session].
func (c *imapSession) Expunge(w *imapserver.ExpungeWriter, uids *imap.UIDSet) error {
	defer c.box.notify()
	return c.UserSession.Expunge(w, uids)
}

// Store implements [imapserver.Session].
func (c *imapSession) Store(w *imapserver.FetchWriter, set imap.NumSet, flags *imap.StoreFlags, o *imap.StoreOptions) error {
	defer c.box.notify()
	return c.UserSession.Store(w, set, flags, o)
}

// listen adds or removes a channel that is told when anything changes.
func (b *box) listen(news chan struct{}, on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if on {
		if b.listeners == nil {
			b.listeners = map[chan struct{}]bool{}
		}
		b.listeners[news] = true
	} else {
		delete(b.listeners, news)
	}
}

func (b *box) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for news := range b.listeners {
		select {
		case news <- struct{}{}:
		default:
		}
	}
}

// DeleteFolder deletes a folder of a box, as its owner may.
func (s *Server) DeleteFolder(addr, folder string) error {
	b, err := s.box(addr)
	if err != nil {
		return fmt.Errorf("delete folder %q: %w", folder, err)
	}
	return b.user.Delete(folder)
}

// MoveAll moves all letters of a folder into another one, making it if needed,
// as another program that reads the same box may.
func (s *Server) MoveAll(addr, from, to string) error {
	b, err := s.box(addr)
	if err != nil {
		return fmt.Errorf("move letters: %w", err)
	}
	if s.Count(addr, to) < 0 {
		if err := b.user.Create(to, nil); err != nil {
			return fmt.Errorf("move letters: %w", err)
		}
	}
	defer b.notify()
	err = s.inside(b.user, func(c *imapclient.Client) error {
		data, err := c.Select(from, nil).Wait()
		if err != nil || data.NumMessages == 0 {
			return err
		}
		_, err = c.Move(imap.SeqSet{{Start: 1, Stop: data.NumMessages}}, to).Wait()
		return err
	})
	if err != nil {
		return fmt.Errorf("move letters: %w", err)
	}
	return nil
}
